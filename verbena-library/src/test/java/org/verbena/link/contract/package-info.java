/**
 * Tests that every kind of link passes: {@link org.verbena.link.contract.LinkContractTest} is the contract, a subclass per kind of link
 * opens the links; {@link org.verbena.link.contract.LinkPair} has the steps that tests of links consist of. {@link
 * org.verbena.link.contract.StreamNetworkContractTest} is the contract of networks of streams.
 */
@NullMarked
package org.verbena.link.contract;

import org.jspecify.annotations.NullMarked;
