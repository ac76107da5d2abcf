/**
 * {@code verbena pingpong}: one message back and forth, so that either end may be rdma-core's {@code ibv_rc_pingpong},
 * {@code ibv_uc_pingpong} or {@code ibv_ud_pingpong}. {@link org.verbena.tools.pingpong.PingpongCommand} reads the
 * options; {@link org.verbena.tools.pingpong.AddressExchange} exchanges addresses over TCP, {@link
 * org.verbena.tools.pingpong.PingpongRun} exchanges the messages. One thread.
 */
@NullMarked
package org.verbena.tools.pingpong;

import org.jspecify.annotations.NullMarked;
