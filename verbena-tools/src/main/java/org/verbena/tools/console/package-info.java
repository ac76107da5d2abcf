/**
 * What commands share for their output: whether it is a terminal ({@link
 * org.verbena.tools.console.Terminal}), how Ctrl-C is heard ({@link org.verbena.tools.console.Interruption}), how
 * trouble is told ({@link org.verbena.tools.console.ToolException}), how figures are written ({@link
 * org.verbena.tools.console.Figures}). Any thread.
 */
@NullMarked
package org.verbena.tools.console;

import org.jspecify.annotations.NullMarked;
