/** docs/start/spring-boot.md. */
@NullMarked
package dev.pawl.spring.docs;

import org.jspecify.annotations.NullMarked;
