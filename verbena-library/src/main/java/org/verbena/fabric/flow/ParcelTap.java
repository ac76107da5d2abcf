package org.verbena.fabric.flow;

/** Sees the packets of a port. Must not keep the parcel. */
@FunctionalInterface
public interface ParcelTap {
    /** A packet leaves the port, or arrives at it. */
    void onParcel(Parcel parcel, boolean leaves, long nowPs);
}
