/**
 * {@code verbena demo}: two adapters over UDP do everything once, then much of it, and every byte is checked. {@link
 * org.verbena.tools.demo.DemoCommand} tells the story; {@link org.verbena.tools.demo.OperationSteps} has the operations, each
 * a few lines that show how the library is used. One thread.
 */
@NullMarked
package org.verbena.tools.demo;

import org.jspecify.annotations.NullMarked;
