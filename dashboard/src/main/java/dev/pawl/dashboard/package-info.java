/** Pages and a JSON API that show and operate a queue: one handler, for the JDK's HTTP server or a servlet container. */
@NullMarked
package dev.pawl.dashboard;

import org.jspecify.annotations.NullMarked;
