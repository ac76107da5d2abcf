package org.verbena.link;

/** A destination prepared by {@link Link#path} for that link, and of use to no other. Lives as long as its link. */
public interface Path {
    /** Where packets claimed for this path go. */
    Endpoint remote();

    /** Where they seem to come from: a local address with the UDP source port of this path's flow. */
    Endpoint source();

    /** How they travel. */
    Flow flow();
}
