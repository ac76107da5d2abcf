/**
 * The links that commands open, and what may be wrapped around them: {@link org.verbena.tools.link.LinkOptions} are the
 * options, the same for every command, {@link org.verbena.tools.link.LinkSetting} what came of them. Any thread.
 */
@NullMarked
package org.verbena.tools.link;

import org.jspecify.annotations.NullMarked;
