package org.verbena.link;

import static org.junit.jupiter.api.Assertions.assertEquals;

import java.lang.reflect.Method;
import java.lang.reflect.Modifier;
import java.util.Arrays;
import java.util.Set;
import java.util.stream.Collectors;
import org.junit.jupiter.api.Test;

final class ForwardingLinkTest {
    /** A default method of {@link Link} that is not forwarded would hide the inner link's own. {@code local} follows from {@code locals}. */
    @Test
    void everyMethodOfALinkIsForwarded() {
        Set<String> kept = Arrays.stream(Link.class.getMethods())
                .filter(method -> !Modifier.isStatic(method.getModifiers()))
                .filter(method -> !isForwarded(method))
                .map(Method::getName)
                .collect(Collectors.toSet());
        assertEquals(Set.of("local"), kept);
    }

    private static boolean isForwarded(Method method) {
        return Arrays.stream(ForwardingLink.class.getDeclaredMethods())
                .anyMatch(own -> own.getName().equals(method.getName())
                        && Arrays.equals(own.getParameterTypes(), method.getParameterTypes()));
    }
}
