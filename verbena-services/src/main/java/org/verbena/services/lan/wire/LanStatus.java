package org.verbena.services.lan.wire;

/** Statuses of replies. The data of a reply with another status than {@link #OK} are the reason, as text. */
public final class LanStatus {
    /** It is done. */
    public static final int OK = 0;
    /** The request has too few or too many bytes, or bits that are not defined. */
    public static final int MALFORMED = 1;
    /** There is no such operation. */
    public static final int UNKNOWN = 2;
    /** The host is not attached, or is already. */
    public static final int WRONG_STATE = 3;
    /** A value is out of its range. */
    public static final int OUT_OF_RANGE = 4;
    /** Another host has the address. */
    public static final int ADDRESS_IN_USE = 5;
    /** The unit has no place for more. */
    public static final int TOO_MANY = 6;
    /** The unit does not permit it. */
    public static final int NOT_PERMITTED = 7;

    private LanStatus() {}
}
