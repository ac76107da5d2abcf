package org.verbena.wire.subnet;

/** Rates of paths in records of subnet administration: the signal rate of all lanes of a link together. */
public enum SaRate {
    GBPS_2_5(2, 25),
    GBPS_5(5, 50),
    GBPS_10(3, 100),
    GBPS_14(11, 140),
    GBPS_20(6, 200),
    GBPS_25(15, 250),
    GBPS_28(19, 280),
    GBPS_30(4, 300),
    GBPS_40(7, 400),
    GBPS_50(20, 500),
    GBPS_56(12, 560),
    GBPS_60(8, 600),
    GBPS_80(9, 800),
    GBPS_100(16, 1000),
    GBPS_112(13, 1120),
    GBPS_120(10, 1200),
    GBPS_168(14, 1680),
    GBPS_200(17, 2000),
    GBPS_300(18, 3000),
    GBPS_400(21, 4000),
    GBPS_600(22, 6000),
    GBPS_800(23, 8000),
    GBPS_1200(24, 12000);

    private static final SaRate[] ALL = values();

    private final int code;
    private final int tenthsOfGigabits;

    SaRate(int code, int tenthsOfGigabits) {
        this.code = code;
        this.tenthsOfGigabits = tenthsOfGigabits;
    }

    /** Its number in records. */
    public int code() {
        return code;
    }

    /** Tenths of gigabits per second. */
    public int tenthsOfGigabits() {
        return tenthsOfGigabits;
    }

    /** The highest rate that a link with this many tenths of gigabits per second has; the lowest of all for less. */
    public static SaRate atMost(int tenths) {
        SaRate best = GBPS_2_5;
        for (SaRate rate : ALL) {
            if (rate.tenthsOfGigabits <= tenths) {
                best = rate;
            }
        }
        return best;
    }

    /** The rate with this number; the lowest of all for a number that no rate has. */
    public static SaRate of(int code) {
        for (SaRate rate : ALL) {
            if (rate.code == code) {
                return rate;
            }
        }
        return GBPS_2_5;
    }
}
