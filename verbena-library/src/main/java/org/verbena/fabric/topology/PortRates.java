package org.verbena.fabric.topology;

import org.verbena.manage.LinkSpeed;
import org.verbena.manage.LinkWidth;

/**
 * The widths and speeds that a port supports and may use, as masks of PortInfo.
 *
 * @param widthSupported bits of {@link LinkWidth}
 * @param speedSupported bits of {@link LinkSpeed}
 * @param extendedSupported extended bits of {@link LinkSpeed}
 * @param fdr10 whether the vendor's speed FDR10 is enabled
 */
public record PortRates(
        int widthSupported,
        int widthEnabled,
        int speedSupported,
        int speedEnabled,
        int extendedSupported,
        int extendedEnabled,
        boolean fdr10) {
    static final int WIDTHS = 0x1f;
    static final int SPEEDS = 0x7;
    static final int EXTENDED_SPEEDS = 0xf;

    /** Extended speeds up to HDR: those that ibsim's ports support. */
    private static final int EXTENDED_USUAL = 0x7;

    private static final LinkWidth[] ALL_WIDTHS = LinkWidth.values();
    private static final LinkSpeed[] ALL_SPEEDS = LinkSpeed.values();

    /** A port of which nothing is said: 4x SDR enabled, all widths and speeds up to QDR supported. */
    public static final PortRates DEFAULT = enabled(LinkWidth.X4.bit(), LinkSpeed.SDR.bit(), 0, false);

    /**
     * Checks the masks.
     *
     * @throws TopologyException if a mask has unknown bits, enables what is not supported, or enables no width or no speed
     */
    public PortRates {
        requireMask("width", widthEnabled, widthSupported, WIDTHS);
        requireMask("speed", speedEnabled, speedSupported, SPEEDS);
        requireMask("extended speed", extendedEnabled, extendedSupported, EXTENDED_SPEEDS);
        if (widthEnabled == 0 || speedEnabled == 0) {
            throw new TopologyException("no width or no speed is enabled; at least one of each is expected");
        }
    }

    private static void requireMask(String name, int enabled, int supported, int known) {
        if ((supported & ~known) != 0 || (enabled & ~supported) != 0) {
            throw new TopologyException("mask of " + name + " 0x" + Integer.toHexString(enabled) + " enabled of 0x"
                    + Integer.toHexString(supported) + " supported found, bits of 0x" + Integer.toHexString(known)
                    + " expected, and only supported ones enabled");
        }
    }

    /** A port with these masks enabled that supports what ports of ibsim support: all widths, and all speeds up to QDR or, with an extended one, HDR. */
    public static PortRates enabled(int widths, int speeds, int extended, boolean fdr10) {
        return new PortRates(
                WIDTHS, widths, SPEEDS, speeds, extended == 0 ? 0 : EXTENDED_USUAL | extended, extended, fdr10);
    }

    /** A port for this width and speed: it and the usual lower ones are enabled, as ibsim has them for a text such as {@code 4xEDR}. */
    public static PortRates of(LinkWidth width, LinkSpeed speed) {
        return DEFAULT.with(width, speed);
    }

    /** The same port after a text such as {@code 4xEDR}. A speed that is not extended leaves the extended ones as they are. */
    PortRates with(LinkWidth width, LinkSpeed speed) {
        int widths = switch (width) {
            case X4 -> LinkWidth.X4.bit() | LinkWidth.X1.bit();
            case X12 -> LinkWidth.X12.bit() | LinkWidth.X4.bit() | LinkWidth.X1.bit();
            default -> width.bit();
        };
        boolean extended = speed.extendedBit() != 0;
        int speeds = extended ? SPEEDS : upTo(speed.bit());
        int extendedSpeeds = extended ? upTo(speed.extendedBit()) : extendedEnabled;
        return enabled(widths, speeds, extendedSpeeds, fdr10 || extended || speed == LinkSpeed.FDR10);
    }

    private static int upTo(int bit) {
        return (bit << 1) - 1;
    }

    /** The widest width that both ports may use. Topologies have no cable between ports without one. */
    public LinkWidth widthWith(PortRates other) {
        for (int i = ALL_WIDTHS.length - 1; i > 0; i--) {
            if ((widthEnabled & other.widthEnabled & ALL_WIDTHS[i].bit()) != 0) {
                return ALL_WIDTHS[i];
            }
        }
        return LinkWidth.X1;
    }

    /** The fastest speed that both ports may use. Topologies have no cable between ports without one. */
    public LinkSpeed speedWith(PortRates other) {
        for (int i = ALL_SPEEDS.length - 1; i > 0; i--) {
            if (mayUse(ALL_SPEEDS[i]) && other.mayUse(ALL_SPEEDS[i])) {
                return ALL_SPEEDS[i];
            }
        }
        return LinkSpeed.SDR;
    }

    /** Whether a cable between the two ports works. */
    boolean fits(PortRates other) {
        return (widthEnabled & other.widthEnabled) != 0 && (speedEnabled & other.speedEnabled) != 0;
    }

    private boolean mayUse(LinkSpeed speed) {
        if (speed == LinkSpeed.FDR10) {
            return fdr10;
        }
        return speed.extendedBit() != 0
                ? (extendedEnabled & speed.extendedBit()) != 0
                : (speedEnabled & speed.bit()) != 0;
    }
}
