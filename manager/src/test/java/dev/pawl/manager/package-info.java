/** Tests of managers over real queues and real HTTP. */
@NullMarked
package dev.pawl.manager;

import org.jspecify.annotations.NullMarked;
