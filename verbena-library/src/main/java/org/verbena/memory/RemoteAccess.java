package org.verbena.memory;

/** What the keys of a protection domain may be used for by peers. */
public enum RemoteAccess {
    /** Keys of regions and of windows, as their rights say. */
    REGIONS_AND_WINDOWS,
    /** Keys of windows only; a region's key is refused whatever the region's rights say. */
    WINDOWS_ONLY
}
