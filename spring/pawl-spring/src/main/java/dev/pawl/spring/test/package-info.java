/** For tests of applications of Spring's. */
@NullMarked
package dev.pawl.spring.test;

import org.jspecify.annotations.NullMarked;
