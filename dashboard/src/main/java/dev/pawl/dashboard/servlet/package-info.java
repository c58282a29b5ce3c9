/** The dashboard in a servlet container. */
@NullMarked
package dev.pawl.dashboard.servlet;

import org.jspecify.annotations.NullMarked;
