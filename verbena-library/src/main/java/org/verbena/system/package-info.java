/**
 * Permissions that the JVM gives this library. {@link org.verbena.system.NativeAccess} asks for native access before a class binds functions
 * of the C library. Knows only the JDK; not exported. Any thread.
 */
@NullMarked
package org.verbena.system;

import org.jspecify.annotations.NullMarked;
