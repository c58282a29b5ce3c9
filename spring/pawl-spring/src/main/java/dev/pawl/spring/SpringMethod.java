package dev.pawl.spring;

import dev.pawl.internal.bean.HandlerMethod;
import java.lang.reflect.Method;
import java.util.Arrays;
import java.util.function.Supplier;
import org.springframework.aop.support.AopUtils;
import org.springframework.core.GenericTypeResolver;
import org.springframework.util.ReflectionUtils;

/** Methods of beans that Spring may have put proxies around. */
final class SpringMethod {
    private SpringMethod() {}

    /**
     * @param owner the class of its bean, which resolves type variables
     * @throws IllegalStateException if a parameter or the return type is not supported
     */
    static HandlerMethod of(Method method, Class<?> owner, boolean chunked) {
        return new HandlerMethod(
                method.getReturnType(),
                Arrays.stream(method.getGenericParameterTypes())
                        .map(type -> GenericTypeResolver.resolveType(type, owner))
                        .toList(),
                chunked);
    }

    /**
     * @param seen the class of the bean as others see it, which may be a proxy's
     * @param bean supplies the bean for each call
     */
    static HandlerMethod.Call call(Method method, Class<?> seen, Supplier<Object> bean) {
        Method callable = AopUtils.selectInvocableMethod(method, seen);
        ReflectionUtils.makeAccessible(callable);
        return HandlerMethod.reflective(callable, bean);
    }
}
