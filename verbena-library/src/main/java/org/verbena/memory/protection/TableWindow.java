package org.verbena.memory.protection;

import java.util.concurrent.atomic.AtomicBoolean;
import org.verbena.memory.ProtectionDomain;
import org.verbena.memory.Window;

/** A window of a registrar. */
final class TableWindow implements Window {
    private final Registrar registrar;
    private final TableDomain domain;
    private final Type type;
    private final int index;
    private final AtomicBoolean closed = new AtomicBoolean();

    TableWindow(Registrar registrar, TableDomain domain, Type type, int index) {
        this.registrar = registrar;
        this.domain = domain;
        this.type = type;
        this.index = index;
    }

    @Override
    public int key() {
        return registrar.entryOf(index, this).key;
    }

    @Override
    public Type type() {
        return type;
    }

    @Override
    public ProtectionDomain domain() {
        return domain;
    }

    @Override
    public boolean isBound() {
        return !closed.get() && registrar.entryOf(index, this).state.isValid();
    }

    @Override
    public void close() {
        if (closed.compareAndSet(false, true)) {
            registrar.remove(index);
            domain.release();
        }
    }

    @Override
    public String toString() {
        return "window of " + type + " in " + domain;
    }
}
