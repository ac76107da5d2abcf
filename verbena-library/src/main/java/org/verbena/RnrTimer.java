package org.verbena;

/**
 * How long a requester waits after a receiver-not-ready NAK: 32 codes, in the order of the codes (specification, table
 * 45). Code 0 is the longest.
 */
public enum RnrTimer {
    US_655360(0, 655360),
    US_10(1, 10),
    US_20(2, 20),
    US_30(3, 30),
    US_40(4, 40),
    US_60(5, 60),
    US_80(6, 80),
    US_120(7, 120),
    US_160(8, 160),
    US_240(9, 240),
    US_320(10, 320),
    US_480(11, 480),
    US_640(12, 640),
    US_960(13, 960),
    US_1280(14, 1280),
    US_1920(15, 1920),
    US_2560(16, 2560),
    US_3840(17, 3840),
    US_5120(18, 5120),
    US_7680(19, 7680),
    US_10240(20, 10240),
    US_15360(21, 15360),
    US_20480(22, 20480),
    US_30720(23, 30720),
    US_40960(24, 40960),
    US_61440(25, 61440),
    US_81920(26, 81920),
    US_122880(27, 122880),
    US_163840(28, 163840),
    US_245760(29, 245760),
    US_327680(30, 327680),
    US_491520(31, 491520);

    /** The constants stand in the order of their codes. */
    private static final RnrTimer[] BY_CODE = values();

    private final int code;
    private final int microseconds;

    RnrTimer(int code, int microseconds) {
        this.code = code;
        this.microseconds = microseconds;
    }

    /** The timer with this code, of which the low five bits count. */
    public static RnrTimer of(int code) {
        return BY_CODE[code & 0x1f];
    }

    /** The shortest timer of at least this time, or the longest there is. */
    public static RnrTimer atLeast(long microseconds) {
        for (int code = 1; code < BY_CODE.length; code++) {
            if (BY_CODE[code].microseconds >= microseconds) {
                return BY_CODE[code];
            }
        }
        return US_655360;
    }

    /** The five bits on the wire. */
    public int code() {
        return code;
    }

    /** The time to wait. */
    public int microseconds() {
        return microseconds;
    }

    /** The time to wait. */
    public long nanoseconds() {
        return microseconds * 1000L;
    }
}
