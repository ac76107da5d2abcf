/**
 * Words and contracts of subnet management: kinds of nodes, states, widths and speeds of links, ports for management datagrams.
 *
 * <p>Start at {@link org.verbena.manage.MadPort}. The agents of nodes are in {@code manage.agent}, a subnet manager in {@code manage.manager}.
 *
 * <p>Thread: the thread that drives the fabric, unless a type says otherwise.
 */
@NullMarked
package org.verbena.manage;

import org.jspecify.annotations.NullMarked;
