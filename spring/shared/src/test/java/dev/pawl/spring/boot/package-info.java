/** What the starters do, on the Boot that each is for. */
@NullMarked
package dev.pawl.spring.boot;

import org.jspecify.annotations.NullMarked;
