/**
 * The configuration messages of the split network driver: the data of CfgUtilRequest and CfgUtilReply. Start at {@link
 * org.verbena.services.lan.wire.LanOperation}. All numbers have the highest byte first. No bytes cause an exception; a message that is malformed is read as null.
 */
@NullMarked
package org.verbena.services.lan.wire;

import org.jspecify.annotations.NullMarked;
