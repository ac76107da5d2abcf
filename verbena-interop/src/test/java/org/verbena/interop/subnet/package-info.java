/**
 * Tests of the fabric against the tools of real fabrics: OpenSM, infiniband-diags and ibsim, where they are installed.
 *
 * <p>Start at {@link org.verbena.interop.subnet.OpenSmTest}.
 *
 * <p>Thread: that of the test.
 */
@NullMarked
package org.verbena.interop.subnet;

import org.jspecify.annotations.NullMarked;
