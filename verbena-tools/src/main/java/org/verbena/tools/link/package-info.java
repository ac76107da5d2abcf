/**
 * The links that commands open, and the wrappers around them: {@link org.verbena.tools.link.LinkOptions} are the options, the
 * same for every command, {@link org.verbena.tools.link.LinkSetting} opens the links they describe. Any thread.
 */
@NullMarked
package org.verbena.tools.link;

import org.jspecify.annotations.NullMarked;
