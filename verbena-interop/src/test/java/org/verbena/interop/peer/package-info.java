/**
 * Linux kernels to talk to: {@link org.verbena.interop.peer.KernelPeer} and {@link org.verbena.interop.peer.SiwPeer} give one to every
 * test that asks for a {@link org.verbena.interop.peer.PeerVm}, {@link org.verbena.interop.peer.Verbena} runs our own command beside it. The thread of
 * the tests enters the network namespace of the VM, so that every socket it opens is there, and everything it starts.
 */
@NullMarked
package org.verbena.interop.peer;

import org.jspecify.annotations.NullMarked;
