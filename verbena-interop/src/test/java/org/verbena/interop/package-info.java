/**
 * Verbena and the Linux kernel's {@code rdma_rxe} and {@code siw}, each in both roles. Where there can be no VM every test skips and
 * says why. The guide is {@code docs/guide/interop.md}.
 */
@NullMarked
package org.verbena.interop;

import org.jspecify.annotations.NullMarked;
