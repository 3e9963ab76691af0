package syntax

// stmt prints s without a newline after it.
func (p *printer) stmt(s Stmt) {
	switch s := s.(type) {
	case *Block:
		p.s("{")
		p.indent++
		for _, x := range s.List {
			p.newline()
			p.stmt(x)
		}
		p.indent--
		p.newline()
		p.s("}")
	case *DeclStmt:
		p.declStmt(s.Decl)
	case *ExprStmt:
		p.expr(s.X, precComma)
		p.s(";")
	case *BadStmt:
		p.s("<bad statement>;")
	case *Empty:
		p.s(";")
	case *If:
		p.ifStmt(s)
	case *While:
		p.stmtAttrs(s.Attrs)
		p.s("while (")
		p.expr(s.Cond, precComma)
		p.s(")")
		p.body(s.Body)
	case *Do:
		p.stmtAttrs(s.Attrs)
		p.s("do")
		p.body(s.Body)
		p.newline()
		p.s("while (")
		p.expr(s.Cond, precComma)
		p.s(");")
	case *For:
		p.forStmt(s)
	case *Switch:
		p.s("switch (")
		p.expr(s.X, precComma)
		p.s(")")
		p.body(s.Body)
	default:
		p.jump(s)
	}
}

// jump prints labelled and jump statements.
func (p *printer) jump(s Stmt) {
	switch s := s.(type) {
	case *Case:
		if s.Lo == nil {
			p.s("default:")
		} else {
			p.s("case ")
			p.expr(s.Lo, precCond)
			if s.Hi != nil {
				p.s(" ... ")
				p.expr(s.Hi, precCond)
			}
			p.s(":")
		}
		p.newline()
		p.stmt(s.Body)
	case *Label:
		p.s(s.Name, ":")
		p.newline()
		p.stmt(s.Body)
	case *Attributed:
		p.stmtAttrs(s.Attrs)
		p.stmt(s.Body)
	case *Goto:
		p.s("goto ", s.Name, ";")
	case *Break:
		p.s("break;")
	case *Continue:
		p.s("continue;")
	case *Return:
		p.s("return")
		if s.X != nil {
			p.s(" ")
			p.expr(s.X, precComma)
		}
		p.s(";")
	}
}

func (p *printer) declStmt(d Decl) {
	switch d := d.(type) {
	case *VarDecl:
		p.varDecl(d)
	default:
		p.decl(d)
	}
}

// body prints the substatement of a condition or loop.
func (p *printer) body(s Stmt) {
	if _, block := s.(*Block); block {
		p.s(" ")
		p.stmt(s)
		return
	}
	p.indent++
	p.newline()
	p.stmt(s)
	p.indent--
}

func (p *printer) ifStmt(s *If) {
	for {
		p.s("if (")
		p.expr(s.Cond, precComma)
		p.s(")")
		if s.Else == nil {
			p.body(s.Then)
			return
		}
		if openIf(s.Then) {
			p.body(&Block{List: []Stmt{s.Then}})
		} else {
			p.body(s.Then)
		}
		p.newline()
		p.s("else")
		next, chain := s.Else.(*If)
		if !chain {
			p.body(s.Else)
			return
		}
		p.s(" ")
		s = next
	}
}

// openIf reports whether an else after s would belong to an if inside s.
func openIf(s Stmt) bool {
	for {
		switch t := s.(type) {
		case *If:
			if t.Else == nil {
				return true
			}
			s = t.Else
		case *While:
			s = t.Body
		case *For:
			s = t.Body
		case *Switch:
			s = t.Body
		case *Case:
			s = t.Body
		case *Label:
			s = t.Body
		case *Attributed:
			s = t.Body
		default:
			return false
		}
	}
}

func (p *printer) forStmt(s *For) {
	p.stmtAttrs(s.Attrs)
	p.s("for (")
	if s.Init != nil {
		p.stmt(s.Init)
	} else {
		p.s(";")
	}
	if s.Cond != nil {
		p.s(" ")
		p.expr(s.Cond, precComma)
	}
	p.s(";")
	if s.Post != nil {
		p.s(" ")
		p.expr(s.Post, precComma)
	}
	p.s(")")
	p.body(s.Body)
}

// stmtAttrs prints the pragmas and attributes of a statement.
func (p *printer) stmtAttrs(attrs []*Attr) {
	for _, a := range attrs {
		if a.Name != "unroll" && a.Name != "nounroll" {
			p.attr(a)
			p.s(" ")
			continue
		}
		p.s("\n#pragma ", a.Name)
		if len(a.Args) > 0 {
			p.s(" ")
			p.expr(a.Args[0].X, precPrimary)
		}
		p.newline()
	}
}
