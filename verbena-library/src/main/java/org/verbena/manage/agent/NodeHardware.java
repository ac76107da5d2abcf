package org.verbena.manage.agent;

/** The data path of a node, as its agents see it: told of changes of registers. */
public interface NodeHardware {
    /** A data path that does nothing. */
    NodeHardware NONE = new NodeHardware() {
        @Override
        public void onPortState(ManagedPort port) {}

        @Override
        public void onPortSettings(ManagedPort port) {}

        @Override
        public void onTrap(ManagedPort from, byte[] notice) {}
    };

    /** The logical or physical state of a port has changed. */
    void onPortState(ManagedPort port);

    /** Identifiers, lanes, MTU, mapping, arbitration, partitions or lifetimes of a port have been written. */
    void onPortSettings(ManagedPort port);

    /** A port wants to send a trap to its subnet manager: Notice in wire format, 64 bytes. */
    void onTrap(ManagedPort from, byte[] notice);

    /** The subnet manager wants the services of the host to register and join again. */
    default void onReregister(ManagedPort port) {}
}
