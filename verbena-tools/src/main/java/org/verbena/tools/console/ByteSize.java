package org.verbena.tools.console;

import java.util.Locale;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import picocli.CommandLine.ITypeConverter;
import picocli.CommandLine.TypeConversionException;

/** Reads sizes such as {@code 8}, {@code 64K}, {@code 1MiB}: units are powers of 1024. */
public final class ByteSize implements ITypeConverter<Long> {
    private static final Pattern FORM = Pattern.compile("(\\d{1,18})\\s*(?:([KMG])(?:IB)?|B)?");
    private static final String UNITS = "KMG";

    /** As picocli makes it. */
    public ByteSize() {}

    @Override
    public Long convert(String text) {
        Matcher form = FORM.matcher(text.strip().toUpperCase(Locale.ROOT));
        if (!form.matches()) {
            throw notASize(text);
        }
        String unit = form.group(2);
        int shift = unit == null ? 0 : 10 * (UNITS.indexOf(unit) + 1);
        long number = Long.parseLong(form.group(1));
        if (number > Long.MAX_VALUE >> shift) {
            throw notASize(text);
        }
        return number << shift;
    }

    private static TypeConversionException notASize(String text) {
        return new TypeConversionException("'" + text + "' is not a size; expected bytes such as 8, 64K, 1M or 1GiB");
    }
}
