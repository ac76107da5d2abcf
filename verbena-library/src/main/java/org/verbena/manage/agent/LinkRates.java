package org.verbena.manage.agent;

/**
 * The widths and speeds of a port, as masks of PortInfo.
 *
 * @param widthSupported bits of {@link org.verbena.manage.LinkWidth}
 * @param speedSupported bits of {@link org.verbena.manage.LinkSpeed}
 * @param extendedSupported extended bits of {@link org.verbena.manage.LinkSpeed}
 * @param fdr10 whether the vendor's speed FDR10 is enabled
 */
public record LinkRates(
        int widthSupported,
        int widthEnabled,
        int speedSupported,
        int speedEnabled,
        int extendedSupported,
        int extendedEnabled,
        boolean fdr10) {
    /** All widths and speeds up to QDR are supported, 4x SDR is enabled: ibsim's values. */
    public static final LinkRates DEFAULT = new LinkRates(0x1f, 2, 7, 1, 0, 0, false);
}
