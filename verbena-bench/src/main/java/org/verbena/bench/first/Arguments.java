package org.verbena.bench.first;

/**
 * The arguments of a first program: {@code server|client PORT WARM-UP SECONDS [MORE]}.
 *
 * @param server which end this process is
 * @param port of the control socket on 127.0.0.1; the server listens there
 * @param warmUpSeconds that the client runs before it counts
 * @param seconds that the client counts
 * @param more an argument of the program's own; empty if there is none
 */
public record Arguments(boolean server, int port, double warmUpSeconds, double seconds, String more) {
    private static final String USAGE = "server|client PORT WARM-UP SECONDS [MORE] expected; found ";

    /**
     * Reads the arguments of a {@code main}.
     *
     * @throws IllegalArgumentException if they are others
     */
    public static Arguments parse(String... arguments) {
        String found = String.join(" ", arguments);
        if (arguments.length < 4 || arguments.length > 5 || !arguments[0].matches("server|client")) {
            throw new IllegalArgumentException(USAGE + found);
        }
        try {
            return new Arguments(
                    arguments[0].equals("server"),
                    Integer.parseInt(arguments[1]),
                    Double.parseDouble(arguments[2]),
                    Double.parseDouble(arguments[3]),
                    arguments.length == 5 ? arguments[4] : "");
        } catch (NumberFormatException e) {
            throw new IllegalArgumentException(USAGE + found, e);
        }
    }

    long warmUpNs() {
        return (long) (warmUpSeconds * 1e9);
    }

    long windowNs() {
        return (long) (seconds * 1e9);
    }
}
