package org.verbena.fabric.ibsim;

/** The counters of a server while it works. */
final class Tally {
    long connected;
    long disconnected;
    long vanished;
    long displaced;
    long requests;
    long delivered;
    long repeated;
    long bounced;
    long controlErrors;
    long refusedControls;
    long refusedMads;
    long refusedClients;

    IbsimCounters snapshot(long refusedSources) {
        return new IbsimCounters(
                connected,
                disconnected,
                vanished,
                displaced,
                requests,
                delivered,
                repeated,
                bounced,
                controlErrors,
                refusedControls,
                refusedMads,
                refusedSources,
                refusedClients);
    }
}
