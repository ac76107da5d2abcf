package org.verbena.manage.manager;

/** Which partitions end ports belong to. A function of the port alone; asked in every sweep. */
public interface PartitionPolicy {
    /** The default partition. */
    int DEFAULT_KEY = 0x7fff;
    /** Bit of a key: full member. */
    int FULL_MEMBER = 0x8000;

    /** All ports are full members of the default partition. */
    PartitionPolicy EVERYONE = portGuid -> new int[] {DEFAULT_KEY | FULL_MEMBER};

    /** The partition keys of the port with this GUID, with the bit of full members; at least one, as many as its table has entries at most. */
    int[] keys(long portGuid);
}
