package org.verbena;

/** The keys of a protection domain that peers may use. */
public enum RemoteAccess {
    /** Keys of regions and of windows, within their rights. */
    REGIONS_AND_WINDOWS,
    /** Keys of windows only; the key of a region is refused, whatever rights the region grants. */
    WINDOWS_ONLY
}
