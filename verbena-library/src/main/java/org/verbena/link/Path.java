package org.verbena.link;

/** A destination prepared by {@link Link#path} for that link, and of use to no other. Lives as long as its link. */
public interface Path {
    /** Where packets claimed for this path go. */
    Endpoint remote();
}
