package org.verbena.interop.peer;

/**
 * How the kernel's siw opens connections, from the next one on. In Linux these are constants; {@code peer/siw.sh} makes them parameters
 * of the module.
 *
 * @param revision of MPA that its clients ask for
 * @param crc whether its clients ask for check sums; its servers do as the client asks
 * @param strict whether it rejects peers that want check sums although it does not
 * @param peerToPeer whether its clients offer a ready-to-receive message; only in revision 2
 * @param readyMessages the messages that its clients offer
 */
public record SiwTerms(int revision, boolean crc, boolean strict, boolean peerToPeer, ReadyMessages readyMessages) {
    /** The constants of Linux. */
    public static final SiwTerms DEFAULT = new SiwTerms(2, false, false, false, ReadyMessages.BOTH);

    /** Messages of length 0 by which a client tells a server that it may send. */
    public enum ReadyMessages {
        READ(64),
        WRITE(128),
        BOTH(192);

        private final int value;

        ReadyMessages(int value) {
            this.value = value;
        }
    }

    public SiwTerms withRevision(int revision) {
        return new SiwTerms(revision, crc, strict, peerToPeer, readyMessages);
    }

    public SiwTerms withCrc(boolean crc) {
        return new SiwTerms(revision, crc, strict, peerToPeer, readyMessages);
    }

    public SiwTerms withoutAnyCrc() {
        return new SiwTerms(revision, false, true, peerToPeer, readyMessages);
    }

    public SiwTerms withReady(ReadyMessages offered) {
        return new SiwTerms(revision, crc, strict, true, offered);
    }

    /** Has the kernel use them. */
    public void applyTo(PeerVm kernel) {
        kernel.run("cd /sys/module/siw/parameters && echo " + revision + " >mpa_version && echo " + flag(crc)
                        + " >mpa_crc_required && echo " + flag(strict) + " >mpa_crc_strict && echo " + flag(peerToPeer)
                        + " >peer_to_peer && echo " + readyMessages.value + " >rtr_type")
                .succeeds();
    }

    private static char flag(boolean value) {
        return value ? 'Y' : 'N';
    }
}
