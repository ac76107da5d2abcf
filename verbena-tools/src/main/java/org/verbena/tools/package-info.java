/**
 * The {@code verbena} command. {@link org.verbena.tools.VerbenaCommand} is the command tree, the one place that knows
 * all commands; {@link org.verbena.tools.Main} runs it and turns its outcome into an exit code.
 *
 * <p>Figures and answers go to standard output; progress, warnings and errors to standard error. Commands run on the
 * main thread.
 */
@NullMarked
package org.verbena.tools;

import org.jspecify.annotations.NullMarked;
