package org.verbena.memory.paging;

/** A policy that forwards every call to another one. */
abstract class ForwardingPolicy implements EvictionPolicy {
    private final EvictionPolicy inner;

    ForwardingPolicy(EvictionPolicy inner) {
        this.inner = inner;
    }

    @Override
    public void onInstalled(int frame, long page) {
        inner.onInstalled(frame, page);
    }

    @Override
    public void onRemoved(int frame) {
        inner.onRemoved(frame);
    }

    @Override
    public void onKept(int frame) {
        inner.onKept(frame);
    }

    @Override
    public int choose(Residents residents) {
        return inner.choose(residents);
    }

    @Override
    public int size() {
        return inner.size();
    }

    @Override
    public int round() {
        return inner.round();
    }

    @Override
    public int bytesPerFrame() {
        return inner.bytesPerFrame();
    }

    @Override
    public String name() {
        return inner.name();
    }
}
