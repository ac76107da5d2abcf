package org.verbena.fabric.ibsim;

import org.verbena.manage.MadPort;
import org.verbena.manage.MadReceiver;
import org.verbena.manage.agent.ManagedPort;

/** The way of a client into the fabric. */
interface Attaching {
    MadPort attach(ManagedPort port, MadReceiver receiver);
}
