/** Pages and a JSON API that show what is in the queue and operate it: one handler, for the JDK's HTTP server or a servlet container. */
@NullMarked
package dev.pawl.dashboard;

import org.jspecify.annotations.NullMarked;
