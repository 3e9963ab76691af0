# Makes printf.tsv: python3 printf.py > p.c && gcc -w p.c && ./a.out > printf.tsv (glibc).
ints=[0,1,-1,42,-42,2147483647,-2147483648,255]
fl=[0.0,-0.0,1.0,-1.5,0.1,3.14159265358979,1e10,1.5e-5,0.0001,123456.0,1234567.0,100000.0,999999.5,1e100,5e-324,float('inf'),float('-inf'),float('nan'),2.5,0.5]
fi=['%d','%5d|','%-5d|','%05d','%+d','% d','%.3d','%8.3d|','%-8.3d|','%i','%u','%x','%X','%#x','%o','%#o','%hhd','%hd','%hhu','%hx','%.0d','%+.0d','%#08x','%08.3x|','%c']
ff=['%f','%e','%g','%a','%F','%E','%G','%A','%.0f','%#.0f','%.2f','%10.3f|','%-10.3f|','%010.3f','%+f','% f','%.0e','%#.0e','%.10e','%.3g','%#g','%#.3g','%.0g','%10.4g|','%.1a','%.3a','%20a|','%020a','%.12g','%.20g','%015g','%+g']
print('#include <stdio.h>\n#include <math.h>\nint main(){')
for f in fi:
    for v in ints:
        if f=='%c' and not 32<v<127: continue
        print('printf("i\\t%s\\t%d\\t%%s\\n", ({static char b[999]; sprintf(b,"%s",%s); b;}));'%(f.replace('%','%%'),v,f,'(-2147483647-1)' if v==-2147483648 else v))
for f in ff:
    for v in fl:
        c={'inf':'INFINITY','-inf':'-INFINITY','nan':'__builtin_nan("")'}.get(repr(v),repr(v))
        if v==999999.5 and f=='%#g': continue # glibc 2.36 drops the zeros that # asks for
        if v==5e-324 and 'a' in f.lower(): continue
        print('printf("f\\t%s\\t%s\\t%%s\\n", ({static char b[999]; sprintf(b,"%s",%s); b;}));'%(f.replace('%','%%'),repr(v),f,c))
print('}')
