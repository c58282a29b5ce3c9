/** What the modules for frameworks share: handlers that are beans, which each framework finds its own way. */
@NullMarked
package dev.pawl.internal.bean;

import org.jspecify.annotations.NullMarked;
