package org.verbena.fabric.ibsim;

import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;
import org.verbena.link.ibsim.IbsimSockets;
import org.verbena.manage.agent.ManagedPort;

/** The clients by slot, and the choice of the client that gets a request. */
final class ClientTable {
    private final @Nullable Client[] slots = new Client[IbsimSockets.SLOTS_MAX];
    /** Clients from the one that connected first to the one that connected last. */
    private final Client[] order = new Client[IbsimSockets.SLOTS_MAX];

    private int count;

    /** The client of a slot; null if the slot has none or there is no such slot. */
    @Nullable
    Client find(int slot) {
        return slot >= 0 && slot < slots.length ? slots[slot] : null;
    }

    boolean isFree(int slot) {
        return slots[slot] == null;
    }

    int count() {
        return count;
    }

    void add(Client client) {
        slots[client.slot()] = client;
        order[count++] = client;
    }

    void remove(Client client) {
        slots[client.slot()] = null;
        int kept = 0;
        for (int i = 0; i < count; i++) {
            if (order[i] != client) {
                order[kept++] = order[i];
            }
        }
        order[kept] = client;
        count = kept;
    }

    /** For every client, the last first, so that the consumer may remove it. */
    void forEach(Consumer<Client> consumer) {
        for (int i = count - 1; i >= 0; i--) {
            consumer.accept(order[i]);
        }
    }

    /** The client that has been silent for longest; null if there is none. */
    @Nullable
    Client longestSilent() {
        Client found = null;
        for (int i = 0; i < count; i++) {
            if (found == null || order[i].lastNs() - found.lastNs() < 0) {
                found = order[i];
            }
        }
        return found;
    }

    /** Another client that is the manager at a port; null if there is none. */
    @Nullable
    Client managerAt(ManagedPort port) {
        for (int i = 0; i < count; i++) {
            if (order[i].port() == port && order[i].isManager()) {
                return order[i];
            }
        }
        return null;
    }

    /**
     * The client that gets a request of a class at a port; null if there is none. A tool that gets a class it does not know ends by an error, so
     * requests for subnet managers go to managers alone, and requests of other classes to a client that has answered this class before, or has only
     * listened so far.
     */
    @Nullable
    Client listener(ManagedPort port, int managementClass) {
        boolean forManager = MadWords.isSubnet(managementClass) || managementClass == MadWords.CLASS_ADMINISTRATION;
        Client listening = null;
        for (int i = 0; i < count; i++) {
            Client client = order[i];
            if (client.port() != port || client.isGone()) {
                continue;
            }
            if (forManager) {
                // The last one: a manager that ended without a word stays in the table for a while.
                listening = client.servesSubnet() ? client : listening;
            } else if (client.hasAnswered(managementClass)) {
                return client;
            } else if (listening == null && client.onlyListens()) {
                listening = client;
            }
        }
        return listening;
    }
}
