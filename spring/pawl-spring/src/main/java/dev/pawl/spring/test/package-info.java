/** Support for tests of Spring applications. */
@NullMarked
package dev.pawl.spring.test;

import org.jspecify.annotations.NullMarked;
