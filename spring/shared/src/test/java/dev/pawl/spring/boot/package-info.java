/** Tests of the starters, each on its own Spring Boot version. */
@NullMarked
package dev.pawl.spring.boot;

import org.jspecify.annotations.NullMarked;
