package org.verbena.interop.peer;

import java.net.InetAddress;

/** Address families, with their names in the VM. */
public enum Family {
    IPV4("198.51.100.", 1),
    IPV6("fd00:5dca::", 2);

    private final String prefix;
    private final int gidIndex;

    Family(String prefix, int gidIndex) {
        this.prefix = prefix;
        this.gidIndex = gidIndex;
    }

    String prefix() {
        return prefix;
    }

    /** Our own address in the namespace. */
    public String host() {
        return prefix + "1";
    }

    /** Our own address in the namespace, as Java has it. */
    public InetAddress hostAddress() {
        return InetAddress.ofLiteral(host());
    }

    /** Where its address stands in the VM's GID table. */
    public int gidIndex() {
        return gidIndex;
    }
}
