package org.verbena.fabric;

/** A topology, an option or a request that a fabric cannot follow. The message says what was found and expected. */
public final class FabricException extends RuntimeException {
    private static final long serialVersionUID = 1;

    public FabricException(String message) {
        super(message);
    }

    static void require(String name, int value, int least, int most) {
        if (value < least || value > most) {
            throw new FabricException(name + " " + value + " found, " + least + " … " + most + " expected");
        }
    }
}
