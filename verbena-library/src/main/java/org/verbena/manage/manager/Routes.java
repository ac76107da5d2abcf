package org.verbena.manage.manager;

import java.util.Arrays;
import org.jspecify.annotations.Nullable;

/** The routes of a subnet: one linear forwarding table for each switch, and the service level of each pair of switches. */
public final class Routes {
    /** Entry of a table: packets are dropped. */
    public static final int NO_PORT = 0xff;
    /** Entries of one block of a table. */
    public static final int BLOCK = 64;

    private final byte[][] tables;
    private final byte @Nullable [][] levels;
    private final int levelCount;

    /**
     * Routes.
     *
     * @param tables output ports by switch and local identifier, whole blocks
     * @param levels service levels by source and target switch; null: all 0
     */
    Routes(byte[][] tables, byte @Nullable [][] levels, int levelCount) {
        this.tables = tables;
        this.levels = levels;
        this.levelCount = levelCount;
    }

    /** The output port of a switch for a local identifier; {@link #NO_PORT}: none. */
    public int port(int switchIndex, int lid) {
        byte[] table = tables[switchIndex];
        return lid < table.length ? table[lid] & 0xff : NO_PORT;
    }

    byte[] table(int switchIndex) {
        return tables[switchIndex];
    }

    byte[][] tables() {
        return tables;
    }

    /** The service level of packets from end nodes at one switch to those at another, and back. */
    public int level(int fromSwitch, int toSwitch) {
        return levels == null ? 0 : levels[fromSwitch][toSwitch];
    }

    /** Whether all pairs of switches have the same service levels as in other routes of the same switches. */
    boolean hasLevelsOf(Routes other) {
        return (levelCount == 1 && other.levelCount == 1) || Arrays.deepEquals(levels, other.levels);
    }

    /** Service levels in use: 0 … this − 1. */
    public int levelCount() {
        return levelCount;
    }
}
