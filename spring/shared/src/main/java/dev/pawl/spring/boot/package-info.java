/** Spring Boot auto-configuration: a queue on the application's DataSource, and a worker with the application's handlers. */
@NullMarked
package dev.pawl.spring.boot;

import org.jspecify.annotations.NullMarked;
