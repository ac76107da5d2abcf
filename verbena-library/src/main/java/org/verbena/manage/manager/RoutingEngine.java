package org.verbena.manage.manager;

/** Computes routes: a function of the graph alone, so that one subnet always gets the same routes. */
public interface RoutingEngine {
    /** A name for messages, such as {@code minhop}. */
    String name();

    /**
     * The routes of a subnet.
     *
     * @throws RoutingException if the subnet does not meet what the engine needs
     */
    Routes route(SubnetGraph graph);

    /** Shortest paths, balanced by the least loaded port. Loops of cables can deadlock. */
    static RoutingEngine minHop() {
        return new MinHopRouting();
    }

    /** Paths go up to a root and then down: no deadlock on one lane. Roots are chosen automatically. */
    static RoutingEngine upDown() {
        return new UpDownRouting();
    }

    /** Paths go up to one of these switches and then down. */
    static RoutingEngine upDown(long... rootGuids) {
        return new UpDownRouting(rootGuids);
    }

    /** Shortest paths, spread over service levels so that no lane has a cycle: no deadlock on any topology. */
    static RoutingEngine layered(int lanesMax) {
        return new LayeredRouting(lanesMax);
    }
}
