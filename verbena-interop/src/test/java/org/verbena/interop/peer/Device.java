package org.verbena.interop.peer;

/** RDMA devices of Linux kernels. A VM has one of them: with two, rdma_cm would choose for an address by itself. */
public enum Device {
    /** RoCEv2. */
    RXE("rxe", 11),
    /** iWARP over TCP. */
    SIW("siw", 12);

    private final String kind;
    private final int number;

    Device(String kind, int number) {
        this.kind = kind;
        this.number = number;
    }

    /** Its name in the commands of Linux. */
    String kind() {
        return kind;
    }

    /** The last part of the addresses of its VM. */
    int number() {
        return number;
    }
}
