package org.verbena.services.lan.wire;

import org.verbena.services.push.ServiceConnection;

/** Numbers of the operations. */
public final class LanOperation {
    /** Host to unit: begins the use of the LAN; {@link AttachRequest}, {@link AttachReply}. */
    public static final int ATTACH = ServiceConnection.OPERATION_FIRST;
    /** Host to unit: another first address. */
    public static final int SET_MAC = ATTACH + 1;
    /** Host to unit: one address more. */
    public static final int ADD_MAC = ATTACH + 2;
    /** Host to unit: one address less. */
    public static final int REMOVE_MAC = ATTACH + 3;
    /** Host to unit: another MTU. */
    public static final int SET_MTU = ATTACH + 4;
    /** Host to unit: other filters; {@link FilterRequest}. */
    public static final int SET_FILTER = ATTACH + 5;
    /** Host to unit: asks for the state of the LAN. Unit to host: tells it. */
    public static final int LINK_STATE = ATTACH + 6;
    /** Host to unit: asks for statistics; {@link StatisticsPage}. */
    public static final int STATISTICS = ATTACH + 7;
    /** Host to unit: filters, addresses, MTU and statistics as they were after ATTACH. */
    public static final int RESET = ATTACH + 8;

    private LanOperation() {}
}
