package org.verbena.services.lan;

import java.util.Locale;

/**
 * An Ethernet address.
 *
 * @param bits 48 bits, the first byte on the wire in the highest ones
 */
public record MacAddress(long bits) {
    /** The address of all stations. */
    public static final MacAddress BROADCAST = new MacAddress(0xffff_ffff_ffffL);

    /** @throws IllegalArgumentException if there are more than 48 bits */
    public MacAddress {
        if (bits >>> 48 != 0) {
            throw new IllegalArgumentException("an Ethernet address has 48 bits; found 0x" + Long.toHexString(bits));
        }
    }

    /**
     * Reads an address as people write it.
     *
     * @param text six pairs of hexadecimal digits with colons between them
     * @throws IllegalArgumentException if it is not one
     */
    public static MacAddress of(String text) {
        if (!text.matches("[0-9a-fA-F]{2}(:[0-9a-fA-F]{2}){5}")) {
            throw new IllegalArgumentException(
                    "an Ethernet address like 02:00:00:00:00:01 expected; found \"" + text + "\"");
        }
        return new MacAddress(Long.parseLong(text.replace(":", ""), 16));
    }

    /** Whether it is that of a group; broadcast is one. */
    public boolean isGroup() {
        return (bits >>> 40 & 1) != 0;
    }

    @Override
    public String toString() {
        StringBuilder text = new StringBuilder();
        for (int shift = 40; shift >= 0; shift -= 8) {
            text.append(String.format(Locale.ROOT, shift == 40 ? "%02x" : ":%02x", bits >>> shift & 0xff));
        }
        return text.toString();
    }
}
